# What a program and the test say to each other: the test is the person in the browser.
import json, sys


def visit(address):
    """Sends the person there, and returns the address at which they come back to the app."""
    print("visit", address, flush=True)
    return input()


def enter(user_code):
    """Has the person enter this code and agree."""
    print("enter", user_code, flush=True)
    input()


def tell(flows):
    """Goes through the flow that was asked for, and tells what came of it."""
    print("tell", json.dumps(flows[sys.argv[1]]()))
