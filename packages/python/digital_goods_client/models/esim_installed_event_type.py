from enum import StrEnum


class EsimInstalledEventType(StrEnum):
    ESIM_INSTALLED = "esim.installed"

    def __str__(self) -> str:
        return str(self.value)
