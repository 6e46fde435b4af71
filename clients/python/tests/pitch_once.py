"""Makes one write, in the process that test_writes.py kills. Arguments: URL, folder of the journal, text of the pitch.
"""

import sys
from pathlib import Path

from task_market import Market, Wallet

from fake_service import TASK, a_deployment

url, directory, text = sys.argv[1:]
market = Market(url, a_deployment(), Wallet("0x" + "11" * 32), journal_directory=Path(directory))
market.create_pitch(TASK, pitchText=text)
