"""What is written from a design: documents, CloudFormation, Terraform, IAM policies and costs. It sends nothing."""
