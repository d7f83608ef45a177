from enum import StrEnum


class ClaimUpdatedDataOrderFamily(StrEnum):
    ESIM = "ESIM"
    TOPUP = "TOPUP"
    VOUCHER = "VOUCHER"

    def __str__(self) -> str:
        return str(self.value)
