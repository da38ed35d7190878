package latchkey

// recent is a bounded map that drops the least recently used half. Its owner guards it.
type recent[V any] struct {
	half       int
	weigh      func(V) int
	young, old map[string]V
	weight     int
}

func newRecent[V any](most int, weigh func(V) int) *recent[V] {
	if weigh == nil {
		weigh = func(V) int { return 1 }
	}
	return &recent[V]{half: max(1, (most+1)/2), weigh: weigh, young: map[string]V{}, old: map[string]V{}}
}

func (r *recent[V]) get(key string) (V, bool) {
	if found, isYoung := r.young[key]; isYoung {
		return found, true
	}
	older, isOld := r.old[key]
	if isOld {
		r.put(key, older)
	}
	return older, isOld
}

func (r *recent[V]) set(key string, value V) {
	// Otherwise a replaced value would return from the older generation.
	delete(r.old, key)
	r.put(key, value)
}

func (r *recent[V]) put(key string, value V) {
	if r.weight >= r.half {
		r.old, r.young, r.weight = r.young, map[string]V{}, 0
	}
	if replaced, isKnown := r.young[key]; isKnown {
		r.weight -= r.weigh(replaced)
	}
	r.weight += r.weigh(value)
	r.young[key] = value
}

func (r *recent[V]) deleteWhere(isOut func(V) bool) {
	for key, value := range r.young {
		if isOut(value) {
			delete(r.young, key)
			r.weight -= r.weigh(value)
		}
	}
	for key, value := range r.old {
		if isOut(value) {
			delete(r.old, key)
		}
	}
}

func (r *recent[V]) clear() {
	r.young, r.old, r.weight = map[string]V{}, map[string]V{}, 0
}
