/** The texts of emails and of the pages opened by emails and social logins, in Spanish. */
export const mail = {
  'code.subject': 'Tu código de acceso',
  'code.heading': 'Tu código de acceso',
  'code.before':
    'Escribe este código donde estás iniciando sesión. Sirve durante 10 minutos y solo en el navegador que lo pidió.',
  'code.after':
    'Nadie de {site} te lo pedirá nunca. Si no pediste un código, ignora este correo: nadie puede entrar sin él.',

  'approval.subject': 'Aprueba un nuevo navegador',
  'approval.heading': '¿Eres tú?',
  'approval.before':
    'Un nuevo navegador quiere iniciar sesión con tu correo electrónico. El enlace sirve durante 10 minutos.',
  'approval.link': 'Revisar la solicitud',
  'approval.after':
    'Ábrelo solo si estás iniciando sesión en este momento. Si no eres tú, ignora este correo: nadie puede entrar en {site} sin él.',

  'changePrimary.subject': 'Confirma el cambio de correo',
  'changePrimary.heading': 'Cambio de tu correo electrónico',
  'changePrimary.before':
    'Escribe este código para confirmar que quieres cambiar el correo electrónico de tu cuenta. Sirve durante 10 minutos.',
  'changePrimary.after':
    'Si no eres tú, no lo escribas en ningún sitio y revisa los dispositivos de tu cuenta en {site}.',

  'changeSecondary.subject': 'Confirma tu nuevo correo electrónico',
  'changeSecondary.heading': 'Tu nuevo correo electrónico',
  'changeSecondary.before':
    'Escribe este código para que este sea el correo electrónico de tu cuenta. Sirve durante 10 minutos.',
  'changeSecondary.after': 'Si no lo pediste, ignora este correo: {site} borrará esta dirección.',

  'addressTaken.subject': 'Este correo electrónico ya tiene una cuenta',
  'addressTaken.heading': 'Este correo electrónico ya está en uso',
  'addressTaken.before':
    'Alguien, quizá tú, intentó usar este correo electrónico para otra cuenta en {site}. Ya tiene una cuenta, así que no se cambió nada.',
  'addressTaken.after': 'Si fuiste tú, inicia sesión con este correo electrónico.',

  'addressChanged.subject': 'Se cambió tu correo electrónico',
  'addressChanged.heading': 'Se cambió tu correo electrónico',
  'addressChanged.before':
    'Tu cuenta en {site} tiene ahora otro correo electrónico. Se introdujeron los códigos enviados a ambas direcciones. Tu cartera y sus claves no han cambiado.',
  'addressChanged.after': 'Si no fuiste tú, alguien puede leer tu correo: cambia la contraseña de tu cuenta de correo.',

  'deviceAdded.subject': 'Nuevo inicio de sesión en otro dispositivo',
  'deviceAdded.heading': 'Nuevo dispositivo',
  'deviceAdded.before':
    '«{place}» inició sesión en tu cuenta de {site}. Solo puede abrir la cartera con tu clave de acceso, tu kit de recuperación u otro de tus dispositivos.',
  'deviceAdded.after': 'Si no es tuyo, quítalo de la lista de dispositivos de tu cartera.',

  'deviceAsked.subject': 'Un nuevo dispositivo quiere abrir tu cartera',
  'deviceAsked.heading': 'Un dispositivo necesita tu aprobación',
  'deviceAsked.before':
    '«{place}» inició sesión en tu cuenta de {site} y pide la aprobación de uno de tus dispositivos. Hasta {time}, para aprobarlo hace falta allí tu clave de acceso o tu kit de recuperación.',
  'deviceAsked.after':
    'Si no es tuyo, alguien puede leer tu correo: cambia la contraseña de tu cuenta de correo; después abre {page} en tu navegador, cierra la sesión en todas partes y añade una clave de acceso o un kit de recuperación.',

  'expiredPage.title': 'Enlace caducado',
  'expiredPage.heading': 'Este enlace ha caducado',
  'expiredPage.body': 'Sirve una sola vez, durante 10 minutos. Pide otro donde estás iniciando sesión.',

  'approvePage.title': 'Aprueba un nuevo navegador',
  'approvePage.heading': '¿Estás iniciando sesión en este momento?',
  'approvePage.body': 'Un navegador quiere iniciar sesión en {site} como {email}.',
  'approvePage.notYou': 'Si no eres tú, cierra esta página.',
  'approvePage.approve': 'Aprobar',

  'approvedPage.title': 'Aprobado',
  'approvedPage.heading': 'Navegador aprobado',
  'approvedPage.body':
    'Te enviamos un código por correo. Escríbelo donde estás iniciando sesión. Puedes cerrar esta página.',

  'popup.title': 'Inicio de sesión',
  'popup.loading': 'Un momento…',
  'popup.loadingBody': 'Tu inicio de sesión se abrirá aquí.',
  'popup.elsewhere': 'Continúa en la página',
  'popup.done': 'Puedes volver a la página',
  'popup.failed': 'Algo salió mal',
  'popup.close': 'Puedes cerrar esta ventana.',
}
