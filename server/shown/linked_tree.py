"""The tree of a linked campaign as a picture, in a reader's language."""

from domain.campaign.state import CampaignState
from replay.drawing.atlas.tree import TreeKey, TreeNode, draw_tree
from server.shown.linked import FOUGHT, NodeShown, nodes_shown
from server.words import say


def tree_drawn(state: CampaignState, lang: str) -> str:
    """The tree with where it stands, as an SVG document."""
    names = {side.id: side.name or side.id for side in state.settings.sides or ()}
    nodes = nodes_shown(state)
    ways = (
        *(say(lang, "campaigns.linked.wins", name=name) for name in names.values()),
        say(lang, "campaigns.linked.draw"),
    )
    key = TreeKey(f"{state.settings.title}: {say(lang, 'campaigns.linked.way')}", ways)
    return draw_tree([_node(node, names, lang) for node in nodes], tuple(names), key)


def _node(node: NodeShown, names: dict[str, str], lang: str) -> TreeNode:
    title = " · ".join(battle.title for battle in node.battles if battle.title) or node.title or node.id
    sizes = " · ".join(say(lang, "campaigns.linked.size", size=battle.size) for battle in node.battles if battle.size)
    return TreeNode(
        node.id,
        title,
        sizes,
        node.status,
        node.winner,
        {way.winner: way.node for way in node.next},
        f"{title}: {_stands(node, names, lang)}.",
    )


def _stands(node: NodeShown, names: dict[str, str], lang: str) -> str:
    if node.status != FOUGHT:
        return say(lang, f"campaigns.linked.{node.status}")
    if not node.winner:
        return say(lang, "campaigns.linked.drawn")
    return say(lang, "campaigns.linked.won-by", name=names.get(node.winner, node.winner))
