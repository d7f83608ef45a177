from enum import StrEnum


class EsimUsageEventType(StrEnum):
    ESIM_USAGE = "esim.usage"

    def __str__(self) -> str:
        return str(self.value)
