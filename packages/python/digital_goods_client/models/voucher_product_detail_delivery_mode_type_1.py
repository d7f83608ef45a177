from enum import StrEnum


class VoucherProductDetailDeliveryModeType1(StrEnum):
    CODE_WITH_PIN = "Code with PIN"
    URL = "URL"

    def __str__(self) -> str:
        return str(self.value)
