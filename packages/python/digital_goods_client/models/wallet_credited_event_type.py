from enum import StrEnum


class WalletCreditedEventType(StrEnum):
    WALLET_CREDITED = "wallet.credited"

    def __str__(self) -> str:
        return str(self.value)
