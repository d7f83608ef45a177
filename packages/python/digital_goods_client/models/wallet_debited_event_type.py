from enum import StrEnum


class WalletDebitedEventType(StrEnum):
    WALLET_DEBITED = "wallet.debited"

    def __str__(self) -> str:
        return str(self.value)
