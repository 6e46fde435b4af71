"""Client of the task market: signs, pays, keeps a journal, polls and streams. Begin with `Market` and `Wallet`.

Example: `Market("http://127.0.0.1:3000", ".local/deployment.json", Wallet(key)).balance()` returns base units of USDC.
"""

from .amounts import to_base_units
from .deployment import Deployment, load_deployment
from .errors import LimitExceeded, MarketError, OutcomeUnknown, ReadError, Refused
from .journal import Limits
from .keys import Wallet
from .market import FINAL, Market
from .outcome import Options, Outcome

__all__ = [
    "FINAL",
    "Deployment",
    "LimitExceeded",
    "Limits",
    "Market",
    "MarketError",
    "Options",
    "Outcome",
    "OutcomeUnknown",
    "ReadError",
    "Refused",
    "Wallet",
    "load_deployment",
    "to_base_units",
]
