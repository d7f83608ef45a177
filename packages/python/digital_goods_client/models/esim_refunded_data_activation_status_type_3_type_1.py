from enum import StrEnum


class EsimRefundedDataActivationStatusType3Type1(StrEnum):
    ACTIVE = "ACTIVE"
    EXPIRED = "EXPIRED"
    NOT_INSTALLED = "NOT_INSTALLED"

    def __str__(self) -> str:
        return str(self.value)
