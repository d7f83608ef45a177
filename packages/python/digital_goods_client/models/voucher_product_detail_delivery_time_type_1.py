from enum import StrEnum


class VoucherProductDetailDeliveryTimeType1(StrEnum):
    DELAYED = "Delayed"
    INSTANT = "Instant"

    def __str__(self) -> str:
        return str(self.value)
