"""Output generated from a design: documents, CloudFormation, Terraform, IAM policies and costs."""
