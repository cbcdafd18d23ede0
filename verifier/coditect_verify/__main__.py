"""``python -m coditect_verify``."""

import sys

from coditect_verify.command import main

sys.exit(main())
