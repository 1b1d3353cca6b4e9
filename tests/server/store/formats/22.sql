-- A store of format 3, as its releases made it.
CREATE TABLE stored_events (
    originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB,
    PRIMARY KEY (originator_id, originator_version));
CREATE TABLE invitations (
    token BLOB PRIMARY KEY NOT NULL, battle TEXT NOT NULL, side TEXT NOT NULL, inviter TEXT NOT NULL,
    email TEXT NOT NULL, mailbox BLOB NOT NULL, lang TEXT NOT NULL, message TEXT NOT NULL, follows TEXT NOT NULL,
    created TEXT NOT NULL, expires TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'expired'))) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX invitations_side ON invitations (battle, side) WHERE state = 'open';
CREATE UNIQUE INDEX invitations_rematch ON invitations (follows) WHERE follows <> '' AND state IN ('open', 'accepted');
CREATE INDEX invitations_created ON invitations (created);
CREATE TABLE unwanted (mailbox BLOB PRIMARY KEY NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER stored_events_no_update BEFORE UPDATE ON stored_events BEGIN SELECT RAISE(ABORT, 'stored_events is append-only'); END;
CREATE TRIGGER stored_events_no_delete BEFORE DELETE ON stored_events BEGIN SELECT RAISE(ABORT, 'stored_events is append-only'); END;
CREATE TABLE battles (
    battle TEXT PRIMARY KEY NOT NULL, header BLOB NOT NULL, created TEXT NOT NULL,
    readers TEXT NOT NULL CHECK (readers IN ('public', 'link', 'players'))) STRICT;
CREATE TABLE commands (
    command_id BLOB PRIMARY KEY NOT NULL, battle TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
    digest BLOB NOT NULL, answer BLOB NOT NULL) STRICT;
CREATE TABLE requests (
    account TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL, body BLOB NOT NULL,
    done INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (account, key)) STRICT;
CREATE INDEX requests_open ON requests (account) WHERE done = 0;
CREATE TABLE vault (
    battle TEXT NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, seat TEXT NOT NULL, salt BLOB NOT NULL,
    content BLOB NOT NULL, PRIMARY KEY (battle, n, kind, seat)) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY, battle TEXT NOT NULL, n INTEGER NOT NULL, recipient TEXT NOT NULL, kind TEXT NOT NULL,
    created TEXT NOT NULL, sent_at TEXT) STRICT;
CREATE INDEX outbox_unsent ON outbox (id) WHERE sent_at IS NULL;
CREATE INDEX outbox_battle ON outbox (battle, recipient);
CREATE TABLE accounts (
    player TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, email TEXT NOT NULL,
    email_key TEXT NOT NULL, created TEXT NOT NULL, role TEXT NOT NULL DEFAULT 'player' CHECK (role IN ('player', 'administrator')),
    banned TEXT NOT NULL DEFAULT '', kept_email TEXT NOT NULL DEFAULT '', look TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX accounts_email ON accounts (email_key);
CREATE INDEX accounts_owner ON accounts (owner) WHERE owner <> '';
CREATE UNIQUE INDEX accounts_look ON accounts (look) WHERE look <> '';
CREATE TABLE set_up (digest BLOB PRIMARY KEY NOT NULL, created TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE notices (
    id TEXT PRIMARY KEY NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL,
    email TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX notices_player ON notices (player, at);
CREATE TABLE tokens (
    digest BLOB PRIMARY KEY NOT NULL, player TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('api', 'login', 'session')),
    created TEXT NOT NULL, expires TEXT, used TEXT, seen TEXT) STRICT;
CREATE INDEX tokens_player ON tokens (player, kind);
CREATE TABLE holdings (
    battle TEXT NOT NULL, what TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (battle, what)) STRICT, WITHOUT ROWID;
CREATE INDEX holdings_player ON holdings (player);
CREATE TABLE closings (
    battle TEXT PRIMARY KEY NOT NULL, at TEXT NOT NULL, how TEXT NOT NULL) STRICT;
CREATE TABLE parked (
    battle TEXT NOT NULL, side TEXT NOT NULL, account TEXT NOT NULL, key TEXT NOT NULL, line INTEGER NOT NULL,
    lines BLOB NOT NULL, PRIMARY KEY (battle, side)) STRICT, WITHOUT ROWID;
CREATE TABLE raw_mail (
    id BLOB PRIMARY KEY NOT NULL, received TEXT NOT NULL, raw BLOB NOT NULL, verdict TEXT) STRICT;
CREATE INDEX raw_mail_open ON raw_mail (received) WHERE verdict IS NULL;
CREATE INDEX raw_mail_player ON raw_mail (json_extract(verdict, '$.player')) WHERE json_valid(verdict);
CREATE INDEX outbox_recipient ON outbox (recipient);
CREATE TABLE mail_tokens (
    digest BLOB PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('question', 'confirm', 'say', 'bounce', 'unsubscribe', 'invite')),
    player TEXT NOT NULL, battle TEXT NOT NULL, side TEXT NOT NULL, question TEXT NOT NULL, content BLOB NOT NULL,
    created TEXT NOT NULL, expires TEXT, used TEXT) STRICT;
CREATE INDEX mail_tokens_player ON mail_tokens (player, kind);
CREATE TABLE correspondents (
    player TEXT PRIMARY KEY NOT NULL, lang TEXT NOT NULL, zone TEXT NOT NULL,
    delivery TEXT NOT NULL CHECK (delivery IN ('instant', 'digest', 'urgent', 'none')), quiet TEXT NOT NULL,
    picture INTEGER NOT NULL, signed TEXT NOT NULL, bounces INTEGER NOT NULL, stopped TEXT NOT NULL,
    is_long INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY, attempts INTEGER NOT NULL, next_try TEXT NOT NULL, error TEXT NOT NULL) STRICT;
CREATE TABLE posts (
    id INTEGER PRIMARY KEY, battle TEXT NOT NULL, side TEXT NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL,
    text TEXT NOT NULL) STRICT;
CREATE INDEX posts_battle ON posts (battle, id);
CREATE TABLE absences (
    id INTEGER PRIMARY KEY, player TEXT NOT NULL, begins TEXT NOT NULL, ends TEXT NOT NULL, state TEXT NOT NULL
    CHECK (state IN ('planned', 'begun', 'over'))) STRICT;
CREATE INDEX absences_open ON absences (player) WHERE state <> 'over';
CREATE TRIGGER battles_no_update BEFORE UPDATE ON battles BEGIN SELECT RAISE(ABORT, 'battles is append-only'); END;
CREATE TRIGGER battles_no_delete BEFORE DELETE ON battles BEGIN SELECT RAISE(ABORT, 'battles is append-only'); END;
CREATE TRIGGER commands_no_update BEFORE UPDATE ON commands BEGIN SELECT RAISE(ABORT, 'commands is append-only'); END;
CREATE TRIGGER commands_no_delete BEFORE DELETE ON commands BEGIN SELECT RAISE(ABORT, 'commands is append-only'); END;
CREATE TRIGGER vault_no_update BEFORE UPDATE ON vault BEGIN SELECT RAISE(ABORT, 'vault is append-only'); END;
CREATE TRIGGER vault_no_delete BEFORE DELETE ON vault BEGIN SELECT RAISE(ABORT, 'vault is append-only'); END;
PRAGMA application_id=1346912588;
CREATE TABLE drafts (
    battle TEXT NOT NULL, side TEXT NOT NULL, player TEXT NOT NULL, orders TEXT NOT NULL, returned BLOB NOT NULL,
    at TEXT NOT NULL, PRIMARY KEY (battle, side, player)) STRICT, WITHOUT ROWID;
CREATE TABLE posts_read (
    battle TEXT NOT NULL, player TEXT NOT NULL, seen INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID;
CREATE TABLE notes (
    battle TEXT NOT NULL, player TEXT NOT NULL, text TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID;
CREATE TABLE feeds (
    player TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL UNIQUE, created TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE watched (
    battle TEXT NOT NULL, player TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID;
CREATE TABLE passkeys (
    id TEXT PRIMARY KEY NOT NULL, player TEXT NOT NULL, credential BLOB NOT NULL UNIQUE, key BLOB NOT NULL,
    uses INTEGER NOT NULL, name TEXT NOT NULL, created TEXT NOT NULL, used TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_player ON passkeys (player);
CREATE TABLE spectator_posts (
    battle TEXT NOT NULL, n INTEGER NOT NULL, id INTEGER NOT NULL UNIQUE, player TEXT NOT NULL, at TEXT NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (battle, n)) STRICT, WITHOUT ROWID;
CREATE TABLE spectator_reads (
    battle TEXT NOT NULL, player TEXT NOT NULL, seen INTEGER NOT NULL,
    PRIMARY KEY (battle, player)) STRICT, WITHOUT ROWID;
CREATE TABLE written_by (format INTEGER PRIMARY KEY NOT NULL, release TEXT NOT NULL) STRICT;
CREATE TABLE bans (
    id TEXT PRIMARY KEY NOT NULL, network TEXT NOT NULL UNIQUE, reason TEXT NOT NULL, at TEXT NOT NULL,
    until TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE deeds (
    n INTEGER PRIMARY KEY, at TEXT NOT NULL, actor TEXT NOT NULL, deed TEXT NOT NULL, about TEXT NOT NULL,
    why TEXT NOT NULL) STRICT;
CREATE TABLE complaints (
    id TEXT PRIMARY KEY NOT NULL, at TEXT NOT NULL, reporter TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('player', 'battle', 'post', 'remark')), about TEXT NOT NULL,
    battle TEXT NOT NULL, item TEXT NOT NULL, words TEXT NOT NULL, why TEXT NOT NULL, settled TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('', 'acted', 'dismissed')), answer TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX complaints_open ON complaints (at) WHERE settled = '';
CREATE INDEX complaints_reporter ON complaints (reporter, at);
CREATE TABLE blocks (
    player TEXT NOT NULL, blocked TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (player, blocked)) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_blocked ON blocks (blocked);
CREATE TABLE announcements (
    lang TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL)
    STRICT, WITHOUT ROWID;
CREATE TABLE lockers (
    player TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('seat', 'passkey')), place TEXT NOT NULL,
    version INTEGER NOT NULL, mark TEXT NOT NULL, content TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (player, kind, place)) STRICT;
CREATE TABLE webhooks (
    id TEXT PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('account', 'club', 'campaign')),
    owner TEXT NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, form TEXT NOT NULL, lang TEXT NOT NULL,
    what TEXT NOT NULL, created TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_try TEXT NOT NULL DEFAULT '',
    failing TEXT NOT NULL DEFAULT '', off TEXT NOT NULL DEFAULT '', last_at TEXT NOT NULL DEFAULT '',
    last_what TEXT NOT NULL DEFAULT '', last_code INTEGER NOT NULL DEFAULT 0, last_error TEXT NOT NULL DEFAULT '')
    STRICT, WITHOUT ROWID;
CREATE INDEX webhooks_owner ON webhooks (owner_kind, owner);
CREATE TABLE webhook_outbox (
    id INTEGER PRIMARY KEY, hook TEXT NOT NULL, what TEXT NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('', 'battle', 'campaign')), about TEXT NOT NULL, n INTEGER NOT NULL,
    created TEXT NOT NULL) STRICT;
CREATE INDEX webhook_outbox_hook ON webhook_outbox (hook, id);
CREATE TABLE clubs (
    club TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL,
    readers TEXT NOT NULL CHECK (readers IN ('public', 'link', 'members')),
    running INTEGER NOT NULL, link INTEGER NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE club_members (
    club TEXT NOT NULL, player TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('organiser', 'member', 'banned')),
    not_before TEXT NOT NULL, since TEXT NOT NULL, PRIMARY KEY (club, player)) STRICT, WITHOUT ROWID;
CREATE INDEX club_members_player ON club_members (player);
CREATE TABLE club_invitations (
    token BLOB PRIMARY KEY NOT NULL, club TEXT NOT NULL, inviter TEXT NOT NULL, name TEXT NOT NULL,
    email TEXT NOT NULL, mailbox BLOB NOT NULL, zone TEXT NOT NULL, lang TEXT NOT NULL, created TEXT NOT NULL,
    expires TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'expired')))
    STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX club_invitations_open ON club_invitations (club, mailbox) WHERE state = 'open';
CREATE INDEX club_invitations_created ON club_invitations (created);
CREATE TABLE club_battles (
    battle TEXT PRIMARY KEY NOT NULL, club TEXT NOT NULL, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX club_battles_club ON club_battles (club, at);
CREATE TABLE club_bulks (
    bulk TEXT PRIMARY KEY NOT NULL, account TEXT NOT NULL, digest BLOB NOT NULL, club TEXT NOT NULL,
    tags TEXT NOT NULL, pace TEXT NOT NULL, at TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE INDEX club_bulks_open ON club_bulks (at) WHERE done = 0;
CREATE TABLE club_pairings (
    bulk TEXT NOT NULL, place INTEGER NOT NULL, content BLOB NOT NULL, battle TEXT NOT NULL,
    PRIMARY KEY (bulk, place)) STRICT, WITHOUT ROWID;
CREATE TRIGGER deeds_no_update BEFORE UPDATE ON deeds BEGIN SELECT RAISE(ABORT, 'deeds is append-only'); END;
CREATE TRIGGER deeds_no_delete BEFORE DELETE ON deeds BEGIN SELECT RAISE(ABORT, 'deeds is append-only'); END;
CREATE TABLE campaigns (
    campaign TEXT PRIMARY KEY NOT NULL, header BLOB NOT NULL, created TEXT NOT NULL,
    readers TEXT NOT NULL CHECK (readers IN ('public', 'link', 'players'))) STRICT;
CREATE TABLE campaign_events (
    position INTEGER PRIMARY KEY, campaign TEXT NOT NULL, n INTEGER NOT NULL, type TEXT NOT NULL, hash BLOB NOT NULL,
    line BLOB NOT NULL, UNIQUE (campaign, n)) STRICT;
CREATE TABLE campaign_players (
    campaign TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (campaign, player)) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_players_player ON campaign_players (player);
CREATE TABLE campaign_dues (
    campaign TEXT PRIMARY KEY NOT NULL, due TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_dues_due ON campaign_dues (due);
CREATE TABLE campaign_battles (
    battle TEXT PRIMARY KEY NOT NULL, campaign TEXT NOT NULL, board TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('set', 'open', 'closing', 'over'))) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_battles_going ON campaign_battles (campaign) WHERE state <> 'over';
CREATE TRIGGER campaigns_no_update BEFORE UPDATE ON campaigns BEGIN SELECT RAISE(ABORT, 'campaigns is append-only'); END;
CREATE TRIGGER campaigns_no_delete BEFORE DELETE ON campaigns BEGIN SELECT RAISE(ABORT, 'campaigns is append-only'); END;
CREATE TRIGGER campaign_events_no_update BEFORE UPDATE ON campaign_events BEGIN SELECT RAISE(ABORT, 'campaign_events is append-only'); END;
CREATE TRIGGER campaign_events_no_delete BEFORE DELETE ON campaign_events BEGIN SELECT RAISE(ABORT, 'campaign_events is append-only'); END;
CREATE TABLE campaign_list (
    campaign TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL, ruleset TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('entering', 'running', 'ended')), round INTEGER NOT NULL,
    entrants INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX campaigns_readers ON campaigns (readers);
CREATE TABLE campaign_officers (
    campaign TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (campaign, player)) STRICT, WITHOUT ROWID;
CREATE INDEX campaign_officers_player ON campaign_officers (player);
CREATE TABLE bulletins (
    bulletin TEXT PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('club', 'campaign')),
    owner TEXT NOT NULL, place INTEGER NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL, due TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('draft', 'held', 'sent')), words TEXT NOT NULL,
    UNIQUE (owner_kind, owner, place)) STRICT, WITHOUT ROWID;
CREATE INDEX bulletins_due ON bulletins (due) WHERE state = 'draft';
CREATE TABLE press (
    id INTEGER PRIMARY KEY NOT NULL, owner_kind TEXT NOT NULL CHECK (owner_kind IN ('club', 'campaign')),
    owner TEXT NOT NULL, player TEXT NOT NULL, at TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX press_owner ON press (owner_kind, owner, at);
CREATE INDEX press_player ON press (player);
CREATE TABLE campaign_seasons (
    club TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, division INTEGER NOT NULL,
    campaign TEXT NOT NULL UNIQUE, PRIMARY KEY (club, name, number, division)) STRICT, WITHOUT ROWID;
PRAGMA user_version=22;
