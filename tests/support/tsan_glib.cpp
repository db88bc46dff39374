// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes ThreadSanitizer see the locks and reference counts of GLib. GLib is not instrumented and
// makes its locks out of futexes, so that without this every use of GST_OBJECT_LOCK looks like a
// race. To be preloaded (LD_PRELOAD) into programs that are built with -fsanitize=thread; harmless
// in others.
#include <dlfcn.h>
#include <gst/gst.h>

#include <mutex>

extern "C" {
// Of the sanitizer's run-time library: orders what came before a release before what comes after an
// acquire of the same address.
__attribute__((weak)) void __tsan_acquire(void* address);
__attribute__((weak)) void __tsan_release(void* address);
}

#define INTERPOSED extern "C" __attribute__((visibility("default")))
#define REAL(function) \
  static const auto real = reinterpret_cast<decltype(&function)>(dlsym(RTLD_NEXT, #function))

namespace {

void acquire(void* address) {
  if (__tsan_acquire != nullptr) __tsan_acquire(address);
}
void release(void* address) {
  if (__tsan_release != nullptr) __tsan_release(address);
}

}  // namespace

#define LOCK(function, Type)              \
  INTERPOSED void function(Type* mutex) { \
    REAL(function);                       \
    real(mutex);                          \
    acquire(mutex);                       \
  }
#define TRYLOCK(function, Type)               \
  INTERPOSED gboolean function(Type* mutex) { \
    REAL(function);                           \
    const gboolean locked = real(mutex);      \
    if (locked) acquire(mutex);               \
    return locked;                            \
  }
#define UNLOCK(function, Type)            \
  INTERPOSED void function(Type* mutex) { \
    REAL(function);                       \
    release(mutex);                       \
    real(mutex);                          \
  }

LOCK(g_mutex_lock, GMutex)
TRYLOCK(g_mutex_trylock, GMutex)
UNLOCK(g_mutex_unlock, GMutex)
LOCK(g_rec_mutex_lock, GRecMutex)
TRYLOCK(g_rec_mutex_trylock, GRecMutex)
UNLOCK(g_rec_mutex_unlock, GRecMutex)
LOCK(g_rw_lock_writer_lock, GRWLock)
TRYLOCK(g_rw_lock_writer_trylock, GRWLock)
UNLOCK(g_rw_lock_writer_unlock, GRWLock)
LOCK(g_rw_lock_reader_lock, GRWLock)
TRYLOCK(g_rw_lock_reader_trylock, GRWLock)
UNLOCK(g_rw_lock_reader_unlock, GRWLock)

INTERPOSED void g_cond_wait(GCond* cond, GMutex* mutex) {
  REAL(g_cond_wait);
  release(mutex);
  real(cond, mutex);
  acquire(mutex);
}

INTERPOSED gboolean g_cond_wait_until(GCond* cond, GMutex* mutex, gint64 end_time) {
  REAL(g_cond_wait_until);
  release(mutex);
  const gboolean signalled = real(cond, mutex, end_time);
  acquire(mutex);
  return signalled;
}

// The lock of an asynchronous queue is taken inside GLib, where nobody can come between: another
// one around it, which is seen. Of the calls that do not wait, as GstHarness makes them.
std::mutex queue_mutex;

INTERPOSED void g_async_queue_push(GAsyncQueue* queue, gpointer data) {
  REAL(g_async_queue_push);
  const std::lock_guard lock(queue_mutex);
  real(queue, data);
}

INTERPOSED gpointer g_async_queue_try_pop(GAsyncQueue* queue) {
  REAL(g_async_queue_try_pop);
  const std::lock_guard lock(queue_mutex);
  return real(queue);
}

// Whoever drops the last reference may rely on all that others did before they dropped theirs.
#define UNREF(function, Type)              \
  INTERPOSED void function(Type* object) { \
    REAL(function);                        \
    release(object);                       \
    acquire(object);                       \
    real(object);                          \
  }

UNREF(g_object_unref, void)
UNREF(gst_object_unref, void)
UNREF(gst_mini_object_unref, GstMiniObject)
