"""Errors of the compiler: never raised."""


class TorchDynamoException(RuntimeError):
    """An error of the compiler."""


class BackendCompilerFailed(TorchDynamoException):
    """A compiler failed."""


class Unsupported(TorchDynamoException):
    """The compiler does not know something."""


class UserError(Unsupported):
    """The program is wrong."""


class InternalTorchDynamoError(TorchDynamoException):
    """The compiler is wrong."""
