import { type FrameScript, playFrame } from '@latchkey/testing'

// A third-party frame that only uses window messages, accepts the code 123456 and signs immediately with a published key. It does
// not answer the first request of each type in the `mute` query parameters. With `mute=READY`, it never sends READY.

const mute = new URL(location.href).searchParams.getAll('mute')

if (!mute.includes('READY')) {
  const frame = playFrame(window, {
    script: Object.fromEntries(
      mute.map((name) => [
        name,
        () => {
          document.body.append(`${name} is left open. `)
          // Answer later requests of this type as usual.
          frame.script({ [name]: undefined } as unknown as FrameScript)
          return new Promise(() => {})
        },
      ]),
    ),
  })
}
