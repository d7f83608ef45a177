from enum import StrEnum


class ActivationStatus(StrEnum):
    ACTIVE = "ACTIVE"
    EXPIRED = "EXPIRED"
    NOT_INSTALLED = "NOT_INSTALLED"

    def __str__(self) -> str:
        return str(self.value)
