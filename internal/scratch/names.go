package scratch

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/model"
)

// filePrefix begins the name of every folder of temporary files; the machine and the
// process's id follow.
const filePrefix = "leasetop-scratch-"

// orphanAge is when a table belongs to nobody, whatever is not known: elsewhere nobody
// can look whether its process lives, and a process's id is used again. A drill takes
// hours at the most, and a lesson may be left open over a day.
const orphanAge = 24 * time.Hour

// owner is who made a scratch table, as the table's name tells it.
type owner struct {
	host string // a digest of where its id counts: a name in somebody's catalog gives no host away
	pid  int
	made time.Time
}

// hostOf is the digest of where this process's id counts. Where that is not known it
// is a random one, so that no other process is judged by an id that may be counted
// elsewhere.
func hostOf(machine string) string {
	name, err := os.Hostname()
	if err != nil {
		name = "unknown"
	}
	if machine == "" {
		machine = uuid.NewString()
	}
	h := fnv.New32a()
	h.Write([]byte(name + " " + machine)) //nolint:errcheck // a hash never fails
	return fmt.Sprintf("%08x", h.Sum32())
}

// table names the n-th queue of this process.
func (l *Lab) table(n int, what string) model.Table {
	return l.named(owner{l.host, os.Getpid(), time.Now()}, n, what)
}

func (l *Lab) named(o owner, n int, what string) model.Table {
	name := fmt.Sprintf("%s%s_%d_%s_%d_%s", store.ScratchPrefix, o.host, o.pid, strconv.FormatInt(o.made.Unix(), 36), n, strings.ReplaceAll(what, "-", "_"))
	return model.Table{Schema: l.place.Schema, Name: name}
}

// ownName is the name of a table exactly as table gives it: somebody's own copy with
// the same beginning and a date in its name is not to be taken for ours.
var ownName = regexp.MustCompile(`^` + store.ScratchPrefix + `([0-9a-f]{8})_([1-9][0-9]*)_([0-9a-z]{6,7})_([1-9][0-9]*)_[a-z]`)

// ownerOf reads a table's name; false: it is not one that this package made.
func ownerOf(name string) (owner, bool) {
	parts := ownName.FindStringSubmatch(name)
	if parts == nil {
		return owner{}, false
	}
	pid, err := strconv.Atoi(parts[2])
	if err != nil {
		return owner{}, false
	}
	at, err := strconv.ParseInt(parts[3], 36, 64)
	return owner{host: parts[1], pid: pid, made: time.Unix(at, 0)}, err == nil
}

// dead reports whether nobody can be using what the owner made, as far as can be told
// from here.
func (o owner) dead(here string, now time.Time, lives func(pid int) bool) bool {
	return now.Sub(o.made) > orphanAge || o.host == here && !lives(o.pid)
}

// Swept is what Sweep found of other processes.
type Swept struct {
	Dropped []model.Table // of processes that are gone
	Left    []model.Table // of others, or of what may be one
}

// Sweep drops the scratch tables of processes that are gone, and removes their
// temporary files.
func (l *Lab) Sweep(ctx context.Context) (out Swept, err error) {
	if l.dir != "" {
		return out, l.sweepFiles(time.Now())
	}
	db, err := l.place.Open(time.Now)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, err := db.Scratches(ctx)
	if err != nil {
		return out, err
	}
	for _, t := range tables {
		o, ok := ownerOf(t.Name)
		switch {
		case ok && o.host == l.host && o.pid == os.Getpid(): // ours
		case ok && o.dead(l.host, time.Now(), lives):
			out.Dropped = append(out.Dropped, t)
		default:
			out.Left = append(out.Left, t)
		}
	}
	return out, db.DropScratch(ctx, out.Dropped...)
}

// sweepFiles removes the folders of processes that are gone.
func (l *Lab) sweepFiles(now time.Time) error {
	dirs, err := filepath.Glob(filepath.Join(os.TempDir(), filePrefix+"*"))
	if err != nil {
		return err
	}
	var errs []error
	for _, dir := range dirs {
		o, ok := ownerOfFolder(dir)
		if ok && o.dead(l.host, now, lives) {
			errs = append(errs, os.RemoveAll(dir))
		}
	}
	return errors.Join(errs...)
}

// folderOf begins the name of a folder of this process.
func folderOf(host string) string { return fmt.Sprintf("%s%s-%d-", filePrefix, host, os.Getpid()) }

// ownFolder is a folder's name as folderOf begins it.
var ownFolder = regexp.MustCompile(`^` + filePrefix + `([0-9a-f]{8})-([1-9][0-9]*)-`)

// ownerOfFolder reads a folder's name and age; false: it is not one that this package
// made, or it is gone.
func ownerOfFolder(dir string) (owner, bool) {
	parts := ownFolder.FindStringSubmatch(filepath.Base(dir))
	info, err := os.Stat(dir)
	if parts == nil || err != nil {
		return owner{}, false
	}
	pid, err := strconv.Atoi(parts[2])
	return owner{host: parts[1], pid: pid, made: info.ModTime()}, err == nil
}
