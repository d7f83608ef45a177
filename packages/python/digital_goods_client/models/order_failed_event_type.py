from enum import StrEnum


class OrderFailedEventType(StrEnum):
    ORDER_FAILED = "order.failed"

    def __str__(self) -> str:
        return str(self.value)
