from enum import StrEnum


class OrderRefundedDataStatus(StrEnum):
    DELIVERED = "DELIVERED"
    FAILED = "FAILED"

    def __str__(self) -> str:
        return str(self.value)
