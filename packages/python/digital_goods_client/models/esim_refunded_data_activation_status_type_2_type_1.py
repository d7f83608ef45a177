from enum import StrEnum


class EsimRefundedDataActivationStatusType2Type1(StrEnum):
    ACTIVE = "ACTIVE"
    EXPIRED = "EXPIRED"
    NOT_INSTALLED = "NOT_INSTALLED"

    def __str__(self) -> str:
        return str(self.value)
