from enum import StrEnum


class ActivationStatus(StrEnum):
    ACTIVATION_STATUS_ACTIVE = "ACTIVE"
    ACTIVATION_STATUS_EXPIRED = "EXPIRED"
    ACTIVATION_STATUS_NOT_INSTALLED = "NOT_INSTALLED"

    def __str__(self) -> str:
        return str(self.value)
