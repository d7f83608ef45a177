from enum import StrEnum


class OrderPartiallyDeliveredEventType(StrEnum):
    ORDER_PARTIALLY_DELIVERED = "order.partially_delivered"

    def __str__(self) -> str:
        return str(self.value)
