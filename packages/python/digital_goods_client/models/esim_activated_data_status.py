from enum import StrEnum


class EsimActivatedDataStatus(StrEnum):
    DELIVERED = "DELIVERED"

    def __str__(self) -> str:
        return str(self.value)
