"""The engine over HTTP: any AWS SDK or the AWS CLI can speak to it by setting an endpoint URL."""

from tablature.engine.server.application import Application
from tablature.engine.server.listener import Server

__all__ = ["Application", "Server"]
