"""What a person may be allowed to do at this desk."""

READ = "desk.newsletter.read"
WRITE = "desk.newsletter.write"
ADMINISTER = "desk.newsletter.administer"
