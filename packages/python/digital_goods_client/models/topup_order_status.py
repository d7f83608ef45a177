from enum import StrEnum


class TopupOrderStatus(StrEnum):
    TOPUP_ORDER_STATUS_CANCELLED = "CANCELLED"
    TOPUP_ORDER_STATUS_DELIVERED = "DELIVERED"
    TOPUP_ORDER_STATUS_FAILED = "FAILED"
    TOPUP_ORDER_STATUS_PENDING = "PENDING"

    def __str__(self) -> str:
        return str(self.value)
