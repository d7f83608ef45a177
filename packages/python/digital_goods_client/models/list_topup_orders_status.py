from enum import StrEnum


class ListTopupOrdersStatus(StrEnum):
    CANCELLED = "CANCELLED"
    DELIVERED = "DELIVERED"
    FAILED = "FAILED"
    PENDING = "PENDING"
    RECHARGED = "RECHARGED"

    def __str__(self) -> str:
        return str(self.value)
