from enum import StrEnum


class EsimInstalledDataStatus(StrEnum):
    DELIVERED = "DELIVERED"

    def __str__(self) -> str:
        return str(self.value)
