package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/leasetop/leasetop/internal/config"
	"github.com/leasetop/leasetop/internal/drill/lesson"
	"github.com/leasetop/leasetop/internal/profile"
	"github.com/leasetop/leasetop/internal/store"
	"github.com/leasetop/leasetop/internal/store/sqlserver"
	"github.com/leasetop/leasetop/model"
)

// lessonFlags are the flags of train that are about lessons.
type lessonFlags struct {
	auto, list, sql, notes bool
	pace                   time.Duration
}

// listLessons names the lessons.
func (a *app) listLessons() error {
	for _, l := range lesson.All() {
		fmt.Fprintf(a.Out, "%3d  %-20s %s\n", l.Number, l.Name, l.Title)
	}
	return nil
}

// lessonMeant finds a lesson by its number or its name.
func lessonMeant(word string) (lesson.Lesson, error) {
	var names []string
	n, err := strconv.Atoi(word)
	for _, l := range lesson.All() {
		if err == nil && l.Number == n || l.Name == word {
			return l, nil
		}
		names = append(names, l.Name)
	}
	if err == nil {
		return lesson.Lesson{}, usage("there is no lesson %d; leasetop train --list names them", n)
	}
	return lesson.Lesson{}, usage("unknown lesson %q; %s", word, config.Meant(word, names))
}

// playLesson plays a lesson without a person and ends with 0 only if both halves
// behaved.
func (a *app) playLesson(ctx context.Context, word string, f lessonFlags) (err error) {
	l, err := lessonMeant(word)
	if err != nil {
		return err
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
	o := lesson.Telling{SQL: f.sql, Notes: f.notes}
	if f.pace > 0 {
		o.Pause = func(ctx context.Context) error {
			waitFor(ctx, f.pace)
			return ctx.Err()
		}
	}
	behaved, err := lesson.Auto(ctx, lab, l, texts, a.inWords(), o)
	switch {
	case err != nil:
		return err
	case !behaved:
		return &exit{exitFailed, fmt.Errorf("lesson %d did not come out as it is told", l.Number)}
	}
	return nil
}

// lessonTexts are the statements of a step as SQL Server is sent them.
func lessonTexts() (lesson.Texts, error) {
	m, err := assumedMapping("", shippedTable, config.EngineSQLServer)
	if err != nil {
		return nil, err
	}
	texts := map[[2]string]string{}
	sound, _ := store.Assumed(sqlserver.Dialect{}, &m)
	for _, s := range sound {
		texts[[2]string{s.Op, ""}] = s.Text
	}
	for _, f := range store.Flaws() {
		wrong, err := store.AssumedFlaws(sqlserver.Dialect{}, &m, f)
		if err != nil {
			return nil, err
		}
		for _, s := range wrong {
			texts[[2]string{s.Op, string(f)}] = s.Text
		}
	}
	for _, o := range model.Orders() {
		rows, err := profile.For(profile.Destructive, "", model.Table{Schema: "dbo", Name: "CustomerOrderToShip"})
		if err != nil {
			return nil, err
		}
		rows.Lane.Order = o
		sound, _ := store.Assumed(sqlserver.Dialect{}, &rows)
		for _, s := range sound {
			texts[[2]string{s.Op, o.String()}] = s.Text
		}
	}
	return func(op, flaw string) string {
		if t, ok := texts[[2]string{op, flaw}]; ok {
			return t
		}
		return texts[[2]string{op, ""}]
	}, nil
}
