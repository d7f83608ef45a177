from enum import StrEnum


class VoucherProductDetailDeliveryTimeType3Type1(StrEnum):
    DELAYED = "Delayed"
    INSTANT = "Instant"

    def __str__(self) -> str:
        return str(self.value)
