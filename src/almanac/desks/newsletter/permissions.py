"""What a person may be allowed to do at this desk."""

READ = "desk.newsletter.read"
WRITE = "desk.newsletter.write"
SEND = "desk.newsletter.send"
ADMINISTER = "desk.newsletter.administer"
