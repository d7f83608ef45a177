from enum import StrEnum


class ClaimOrderFamily(StrEnum):
    ESIM = "ESIM"
    TOPUP = "TOPUP"
    VOUCHER = "VOUCHER"

    def __str__(self) -> str:
        return str(self.value)
