from enum import StrEnum


class EsimOrderStatus(StrEnum):
    ESIM_ORDER_STATUS_CANCELLED = "CANCELLED"
    ESIM_ORDER_STATUS_DELIVERED = "DELIVERED"
    ESIM_ORDER_STATUS_FAILED = "FAILED"
    ESIM_ORDER_STATUS_PENDING = "PENDING"

    def __str__(self) -> str:
        return str(self.value)
