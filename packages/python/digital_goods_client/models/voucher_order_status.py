from enum import StrEnum


class VoucherOrderStatus(StrEnum):
    CANCELLED = "CANCELLED"
    DELIVERED = "DELIVERED"
    FAILED = "FAILED"
    PARTIALLY_DELIVERED = "PARTIALLY_DELIVERED"
    PENDING = "PENDING"

    def __str__(self) -> str:
        return str(self.value)
