"""A bot that takes a side, waits on its stream, and plays to the end: python bot.py ADDRESS TOKEN BATTLE SIDE"""

import json
import secrets
import sys
import urllib.request

ADDRESS, TOKEN, BATTLE, SIDE = sys.argv[1:]


def send(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    return urllib.request.urlopen(urllib.request.Request(f"{ADDRESS}/api/v1{path}", data, headers, method=method))


def chance(option):
    good, of = option.get("odds", (0, 1))
    return good / of


def played(view):  # gives orders as long as they are asked of this side
    battle, side = f"/battles/{view['battle']}", view["side"]
    while view["winner"] is None and side in view["to_act"]:
        options = json.load(send("GET", f"{battle}/options"))["options"]
        best = max(options, key=chance)
        order = best if chance(best) > 1 / 2 else options[-1]  # the last one always lets the battle go on
        phrase = secrets.token_hex(16) if view["seats"][side]["owes"] else ""  # its part of the chance of a turn
        send("POST", f"{battle}/orders", {"orders": order["order"], "seen": view["head"], "phrase": phrase})
        view = json.load(send("GET", battle))
    return view


stream = send("GET", "/account/stream")  # before anything happens, so that nothing is missed
head = json.load(send("GET", f"/battles/{BATTLE}"))["head"]
sit = {"phrase": secrets.token_hex(16), "seen": head}
view = played(json.load(send("POST", f"/battles/{BATTLE}/sides/{SIDE}", sit)))
while view["winner"] is None:
    line = next(stream)  # `data: {"battle": …, "event": …}`
    if line.startswith(b"data: ") and json.loads(line[6:])["event"]["n"] > view["n"]:
        view = played(json.load(send("GET", f"/battles/{BATTLE}")))
print(f"{view['winner'] or 'Nobody'} has won.")
