from enum import StrEnum


class CreatedWebhookEndpointDisabledReasonType2Type1(StrEnum):
    FAILING = "FAILING"
    GONE = "GONE"

    def __str__(self) -> str:
        return str(self.value)
