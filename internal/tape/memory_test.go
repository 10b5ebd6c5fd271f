package tape

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/leasetop/leasetop/model"
)

func TestADayTakesBoundedMemory(t *testing.T) {
	const queues, jobs = 4, 500
	tape := New(Options{})
	var before, end runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	half := 0
	for i := range 24 * 60 * 30 { // a virtual day of polls every 2 s
		at := epoch.Add(time.Duration(i) * 2 * time.Second)
		for q := range queues {
			s := good(at, model.Pulse{Ready: exact(int64(i % 100)), Working: exact(jobs), Enqueued: counted(int64(i), "")})
			s.Queue = fmt.Sprint(q)
			if q == 0 && i%30 == 0 { // one list is looked at, and its rows change all the time
				list := make([]*model.Job, jobs)
				for j := range list {
					list[j] = job(int64(i/30*jobs/4+j), "00000000-0000-0000-0000-000000000001", model.Working)
				}
				listed(s, model.ViewWorking, list...)
			}
			tape.Observe(s)
		}
		if i == 12*60*30 {
			half = tape.Size()
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&end)
	most := queues*(tape.capacity*pointBytes+64*spanBytes) + maxSights*sightBytes // one list was looked at
	heap := int64(end.HeapAlloc) - int64(before.HeapAlloc)                        //nolint:gosec // far below the limit
	t.Logf("%d queues, a day: %d bytes by our own count, %d on the heap; %d bytes an hour of points", queues, tape.Size(), heap, tape.capacity*pointBytes)
	if tape.Size() > most || tape.capacity*pointBytes > 128<<10 {
		t.Errorf("it takes %d bytes, want at most %d", tape.Size(), most)
	}
	if tape.Size() > half+half/10 {
		t.Errorf("after a day it takes %d bytes, after half a day %d", tape.Size(), half)
	}
	if heap > 3<<20 {
		t.Errorf("the heap grew by %d bytes", heap)
	}
	runtime.KeepAlive(tape)
}
