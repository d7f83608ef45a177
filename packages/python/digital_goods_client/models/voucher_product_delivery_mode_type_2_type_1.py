from enum import StrEnum


class VoucherProductDeliveryModeType2Type1(StrEnum):
    CODE_WITH_PIN = "Code with PIN"
    URL = "URL"

    def __str__(self) -> str:
        return str(self.value)
