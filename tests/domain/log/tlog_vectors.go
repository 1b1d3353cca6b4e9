// Makes tlog-vectors.json with the Go packages sumdb/tlog and sumdb/note, which share no code with Phalera.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	Index int64    `json:"index"`
	Size  int64    `json:"size"`
	Proof []string `json:"proof"`
}

type consistency struct {
	Old   int64    `json:"old"`
	Size  int64    `json:"size"`
	Proof []string `json:"proof"`
}

type tile struct {
	Level   int    `json:"level"`
	N       int64  `json:"n"`
	Width   int    `json:"width"`
	Path    string `json:"path"`
	Content string `json:"content"`
}

type vectors struct {
	Entries     int64             `json:"entries"`
	Roots       map[string]string `json:"roots"`
	Inclusions  []inclusion       `json:"inclusions"`
	Consistency []consistency     `json:"consistency"`
	Tiles       []tile            `json:"tiles"`
	Seed        string            `json:"seed"`
	Checkpoint  string            `json:"checkpoint"`
	Key         string            `json:"key"`
	Witness     string            `json:"witness"`
	Time        int64             `json:"time"`
	Note        string            `json:"note"`
}

// cosigner signs as C2SP tlog-cosignature v1 says.
type cosigner struct {
	name string
	key  ed25519.PrivateKey
	time uint64
}

func (c cosigner) material() []byte { return append([]byte{4}, c.key.Public().(ed25519.PublicKey)...) }
func (c cosigner) Name() string     { return c.name }
func (c cosigner) KeyHash() uint32 {
	sum := sha256.Sum256(append([]byte(c.name+"\n"), c.material()...))
	return binary.BigEndian.Uint32(sum[:4])
}
func (c cosigner) Sign(msg []byte) ([]byte, error) {
	text := append([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n", c.time)), msg...)
	return append(binary.BigEndian.AppendUint64(nil, c.time), ed25519.Sign(c.key, text)...), nil
}
func (c cosigner) vkey() string {
	return fmt.Sprintf("%s+%08x+%s", c.name, c.KeyHash(), base64.StdEncoding.EncodeToString(c.material()))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func texts(hashes []tlog.Hash) []string {
	found := []string{}
	for _, hash := range hashes {
		found = append(found, hex.EncodeToString(hash[:]))
	}
	return found
}

// check opens a note on the standard input: the log's key and the witness's are the arguments.
func check() {
	var content bytes.Buffer
	_, err := content.ReadFrom(os.Stdin)
	must(err)
	log, err := note.NewVerifier(os.Args[2])
	must(err)
	opened, err := note.Open(content.Bytes(), note.VerifierList(log, witness{os.Args[3]}))
	must(err)
	tree, err := parse(opened.Text)
	must(err)
	fmt.Println(len(opened.Sigs), tree.N, tree.Hash.String())
}

func parse(text string) (tree tlog.Tree, err error) {
	lines := strings.Split(text, "\n")
	if _, err = fmt.Sscan(lines[1], &tree.N); err == nil {
		tree.Hash, err = tlog.ParseHash(lines[2])
	}
	return tree, err
}

// witness verifies what a cosigner signs, from its key string.
type witness struct{ vkey string }

func (w witness) Name() string { return strings.SplitN(w.vkey, "+", 3)[0] }
func (w witness) KeyHash() (id uint32) {
	_, err := fmt.Sscanf(strings.SplitN(w.vkey, "+", 3)[1], "%08x", &id)
	must(err)
	return id
}
func (w witness) Verify(msg, sig []byte) bool {
	material, err := base64.StdEncoding.DecodeString(strings.SplitN(w.vkey, "+", 3)[2])
	must(err)
	text := append([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n", binary.BigEndian.Uint64(sig[:8]))), msg...)
	return material[0] == 4 && ed25519.Verify(material[1:], text, sig[8:])
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "check" {
		check()
		return
	}
	out := vectors{Entries: 600, Roots: map[string]string{}, Time: 1800000000}
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found := []tlog.Hash{}
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	var last tlog.Hash
	for n := int64(0); n < out.Entries; n++ {
		hashes, err := tlog.StoredHashes(n, []byte(fmt.Sprintf("entry %d", n)), reader)
		must(err)
		stored = append(stored, hashes...)
	}
	sizes := []int64{1, 2, 3, 5, 7, 8, 255, 256, 257, 600}
	for _, size := range sizes {
		root, err := tlog.TreeHash(size, reader)
		must(err)
		last, out.Roots[fmt.Sprint(size)] = root, hex.EncodeToString(root[:])
		for _, index := range []int64{0, size / 3, size / 2, size - 1} {
			proof, err := tlog.ProveRecord(size, index, reader)
			must(err)
			out.Inclusions = append(out.Inclusions, inclusion{index, size, texts(proof)})
		}
		for _, old := range sizes {
			if old <= size {
				proof, err := tlog.ProveTree(size, old, reader)
				must(err)
				out.Consistency = append(out.Consistency, consistency{old, size, texts(proof)})
			}
		}
	}
	for _, each := range tlog.NewTiles(8, 0, out.Entries) {
		content, err := tlog.ReadTileData(each, reader)
		must(err)
		sum := sha256.Sum256(content)
		out.Tiles = append(out.Tiles, tile{each.L, each.N, each.W, each.Path(), hex.EncodeToString(sum[:])})
	}
	for _, n := range []int64{0, 999, 1000, 1234067} {
		named := tlog.Tile{H: 8, L: 1, N: n, W: 256}
		out.Tiles = append(out.Tiles, tile{1, n, 256, named.Path(), ""})
	}
	seed := bytes.Repeat([]byte{7}, 32)
	out.Seed = hex.EncodeToString(seed)
	skey, vkey, err := note.GenerateKey(bytes.NewReader(seed), "games.example/phalera")
	must(err)
	signer, err := note.NewSigner(skey)
	must(err)
	other := cosigner{"witness.example", ed25519.NewKeyFromSeed(seed), uint64(out.Time)}
	out.Checkpoint = fmt.Sprintf("games.example/phalera\n%d\n%s\n", out.Entries, last)
	signed, err := note.Sign(&note.Note{Text: out.Checkpoint}, signer, other)
	must(err)
	out.Key, out.Witness, out.Note = vkey, other.vkey(), string(signed)
	content, err := json.Marshal(out)
	must(err)
	fmt.Println(string(content))
}
