import { type FrameScript, playFrame } from '@latchkey/testing'

// A frame that is not ours: it speaks the plain window messages, logs in with the code 123456 and signs at once with a published key.
// What stands as `mute` in its address it does not answer the first time; a frame that is mute about READY never says it.

const mute = new URL(location.href).searchParams.getAll('mute')

if (!mute.includes('READY')) {
  const frame = playFrame(window, {
    script: Object.fromEntries(
      mute.map((name) => [
        name,
        () => {
          document.body.append(`${name} is left open. `)
          // The next time it answers as ever.
          frame.script({ [name]: undefined } as unknown as FrameScript)
          return new Promise(() => {})
        },
      ]),
    ),
  })
}
