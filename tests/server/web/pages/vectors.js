// What the modules of the pages make of the published vectors, in the shape of the vectors.
async ({ vectors, tables }) => {
  const { bytesOf, hex, utf8 } = await import("/static/bytes.js");
  const fairness = await import("/static/fairness.js");
  const { newKeyFault, noteFault, verifierOf } = await import("/static/notes.js");
  const { BattleFile, canonical } = await import("/static/proof_log.js");
  const { Piles } = await import("/static/proof_piles.js");
  const { gid, length } = vectors, master = bytesOf(vectors.master);

  async function chainOf(chain, generation) {
    const keys = [await fairness.topKey(master, gid, chain, generation)];
    while (keys.length <= length) keys.push(await fairness.keyBefore(gid, chain, generation, keys[keys.length - 1]));
    return { anchor: keys.pop(), keys: keys.reverse() };
  }

  async function seedOf({ scope, index, contributions }) {
    const { keys } = await chainOf(fairness.chainOf(scope), Math.floor(index / length));
    return fairness.seedOf(keys[index % length], gid, index, scope, contributions.map(bytesOf));
  }

  async function numbers(seed, sizes, as) {
    const stream = new fairness.Stream(seed), drawn = [];
    for (const size of sizes) drawn.push(as(await stream.below(size)));
    return { numbers: drawn, words_used: stream.position };
  }

  const found = {};
  found.chains = await Promise.all(vectors.chains.map(async ({ chain, generation, keys }) => {
    const made = await chainOf(chain, generation);
    return {
      top: hex(made.keys[length - 1]), anchor: hex(made.anchor),
      keys: Object.fromEntries(Object.keys(keys).map((place) => [place, hex(made.keys[place])])),
    };
  }));
  const anchors = Object.fromEntries(vectors.chains.map(({ chain, anchor }) => [chain, bytesOf(anchor)]));
  found.commitment = hex(await fairness.commitmentOf(gid, length, anchors));
  const second = await chainOf(vectors.continued.chain, vectors.continued.generation);
  found.continued = { anchor: hex(second.anchor), key: hex(second.keys[vectors.continued.index % length]) };
  found.disclosures = await Promise.all(vectors.disclosures.map(async ({ chain, key }) => (
    { hashes_to: hex(await fairness.keyBefore(gid, chain, 0, bytesOf(key))) })));
  found.plain = await Promise.all(vectors.plain.map(async ({ t, seat, phrase, order }) => (
    { value: hex(await fairness.plainContribution(gid, t, seat, phrase, order)) })));
  found.draws = await Promise.all(vectors.draws.map(async (draw) => {
    const seed = await seedOf(draw);
    return { chain: fairness.chainOf(draw.scope), seed: hex(seed), ...(await numbers(seed, draw.sizes, Number)) };
  }));
  found.words = await numbers(bytesOf(vectors.words.seed), vectors.words.sizes.map(BigInt), String);

  const { reshuffle } = vectors, piles = new Piles(tables.reshuffle.decks, {}), stream = new fairness.Stream(await seedOf(reshuffle));
  let epoch = 1, count = 0;
  async function drawn(discard) {
    const pile = piles.of(1, reshuffle.deck), number = Number(await stream.below(pile.remaining)), card = pile.cards[number];
    piles.take(1, pile, number, card);
    piles.comeUp(1, pile, { epoch, index: (count += 1), discard, remaining: pile.remaining - 1 }, card);
    return card;
  }
  found.reshuffle = { drawn: [], after: [], size: reshuffle.size };
  for (const [, discard] of reshuffle.drawn) found.reshuffle.drawn.push([await drawn(discard), discard]);
  piles.shuffled(1, { deck: reshuffle.deck, epoch: (epoch = 2), size: reshuffle.size });
  count = 0;
  while (found.reshuffle.after.length < reshuffle.after.length) found.reshuffle.after.push(await drawn(1));

  const ten = tables.d10_deck.decks.south, dice = vectors.special_die;
  const cards = await numbers(await seedOf(vectors.d10_deck), vectors.d10_deck.cards.map(() => ten.length), Number);
  found.d10_deck = { cards: cards.numbers.map((number) => ten[number]) };
  const fallen = (await numbers(await seedOf(dice), dice.faces.map(() => 6), Number)).numbers, [counts] = tables.special_die.faces[6];
  found.special_die = { faces: fallen.map((number) => number + 1), values: fallen.map((number) => counts[number]) };

  const { salt, t, seat, content } = vectors.sealed, spelled = canonical(content);
  found.sealed = { bytes: hex(utf8(spelled)), value: hex(await fairness.sealedCommitment(bytesOf(salt), gid, t, seat, spelled)) };

  const file = new BattleFile(true), { log, checkpoint } = vectors;
  await file.take(utf8(`${log.header_line}\n`));
  found.log = { hash_0: file.head };
  await file.take(utf8(`${log.file_line}\n`));
  found.log.hash_1 = file.head;
  await file.take(utf8(`${checkpoint.line}\n`));
  if (!file.isSigned) found.log.hash_1 = "the note of the file was not seen";
  const host = await verifierOf(checkpoint.key), hash = bytesOf(log.hash_1);
  const ofNote = (note) => noteFault(host, checkpoint.origin, checkpoint.n, hash, note, true);
  const broken = checkpoint.note.replace(/.....\n$/, "AAA=\n");
  found.checkpoint = (await ofNote(checkpoint.note)) === "" && (await ofNote(broken)) ? { n: checkpoint.n } : {
    n: `${await ofNote(checkpoint.note)}, broken: ${await ofNote(broken)}` };
  const { key_changed: changed } = vectors, old = await verifierOf(changed.old);
  const ofKey = (key) => newKeyFault(old, changed.origin, key, changed.signature, true);
  found.key_changed = (await ofKey(changed.new)) === "" && (await ofKey(changed.old)) ? { new: changed.new } : { new: await ofKey(changed.new) };
  return found;
}
