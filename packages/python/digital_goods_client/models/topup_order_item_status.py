from enum import StrEnum


class TopupOrderItemStatus(StrEnum):
    CANCELLED = "CANCELLED"
    DELIVERED = "DELIVERED"
    FAILED = "FAILED"
    PENDING = "PENDING"

    def __str__(self) -> str:
        return str(self.value)
