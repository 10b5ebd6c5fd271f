package cli

import (
	"context"
	"errors"
	"sync"

	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/ui/lessons"
)

// allLessons is the word for the menu of lessons.
const allLessons = "lessons"

// classroom opens a lesson, or the menu of them, on the screen. Queues that are
// open when it ends are dropped by then.
func (a *app) classroom(ctx context.Context, word string) (err error) {
	c, err := a.looks()
	if err != nil {
		return err
	}
	o := lessons.Options{Context: ctx, Lessons: lesson.All(), Theme: c.Theme, Light: a.light(), ASCII: c.ASCII}
	if word != allLessons {
		l, err := lessonMeant(word)
		if err != nil {
			return err
		}
		o.First = l.Number
	}
	texts, err := lessonTexts()
	if err != nil {
		return err
	}
	lab, err := a.lab(ctx, "lesson")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lab.Close()) }()

	var mu sync.Mutex
	var open []*lesson.Player
	defer func() {
		mu.Lock()
		defer mu.Unlock()
		for _, p := range open {
			err = errors.Join(err, p.Close(context.WithoutCancel(ctx)))
		}
	}()
	o.Open = func(ctx context.Context, l lesson.Lesson, w lesson.Which) (lessons.Player, error) {
		p, err := lesson.Open(ctx, lab, l, w, texts)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		open = append(open, p)
		return p, nil
	}
	return a.run(ctx, lessons.New(o))
}
