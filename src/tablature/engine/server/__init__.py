"""The engine over HTTP: any AWS SDK or the AWS CLI can use it by setting an endpoint URL."""
