"""A server whose chance follows from a seed: alike in each run, and only under a name that nobody can have."""

import pytest
from typer.testing import CliRunner

from server.cli.main import main
from server.rehearsal import RepeatableEntropy, entropy_of, require_reserved
from server.settings import BadSetting, Settings

SECRET, TOKEN = 32, 16


@pytest.fixture
def seeded(tmp_path):
    return Settings.at(tmp_path, host="games.test", seed="seven")


@pytest.mark.parametrize("host", ["localhost", "games.example", "test", "games.test.example"])
def test_a_seed_is_refused_under_a_name_that_somebody_can_have(tmp_path, host):
    with pytest.raises(BadSetting, match=r"a --host that ends in \.test, not “"):
        require_reserved(Settings.at(tmp_path, host=host, seed="seven"))
    require_reserved(Settings.at(tmp_path, host=host))


def test_the_same_seed_gives_the_same_secrets_in_another_folder(seeded, tmp_path):
    there = Settings.at(tmp_path / "other", host="games.test", seed="seven")
    there.data.mkdir()
    require_reserved(there)
    assert entropy_of(seeded).bytes(SECRET) == entropy_of(there).bytes(SECRET)


def test_what_is_drawn_by_the_way_changes_no_secret():
    one, other = RepeatableEntropy("seven", 1), RepeatableEntropy("seven", 1)
    assert len({one.bytes(TOKEN) for _ in range(3)}) == 3
    assert one.bytes(SECRET) == other.bytes(SECRET)


def test_a_server_that_starts_again_draws_other_bytes(seeded):
    drawn = {entropy_of(seeded).bytes(TOKEN) for _ in range(5)}
    assert len(drawn) == 5


def test_without_a_seed_the_chance_is_that_of_the_system(tmp_path):
    assert type(entropy_of(Settings.at(tmp_path, host="games.test"))).__name__ == "SystemEntropy"
    assert [*tmp_path.iterdir()] == []


def test_the_command_refuses_a_seed_before_it_touches_anything(tmp_path):
    folder = tmp_path / "data"
    answer = CliRunner().invoke(main, ["serve", "--seed", "seven", "--data", str(folder)])
    assert (answer.exit_code, folder.exists()) == (2, False)
    assert "it is for tests alone, under a --host that ends in .test, not “localhost”" in answer.stderr
