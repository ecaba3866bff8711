#!/usr/bin/env python
"""Django's command line."""

from __future__ import annotations

import os
import sys

from deploy.management_utility import run

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    sys.exit(run(sys.argv))
