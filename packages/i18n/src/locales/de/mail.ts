/** The texts of emails and of the pages opened by emails and social logins, in German. */
export const mail = {
  'code.subject': 'Ihr Anmeldecode',
  'code.heading': 'Ihr Anmeldecode',
  'code.before':
    'Geben Sie diesen Code dort ein, wo Sie sich gerade anmelden. Er gilt 10 Minuten und nur in dem Browser, in dem er angefordert wurde.',
  'code.after':
    'Niemand von {site} wird Sie jemals danach fragen. Wenn Sie keinen Code angefordert haben, ignorieren Sie diese E-Mail: Ohne ihn kann sich niemand anmelden.',

  'approval.subject': 'Neuen Browser bestätigen',
  'approval.heading': 'Sind Sie das?',
  'approval.before': 'Ein neuer Browser möchte sich mit Ihrer E-Mail-Adresse anmelden. Der Link gilt 10 Minuten.',
  'approval.link': 'Anfrage ansehen',
  'approval.after':
    'Öffnen Sie ihn nur, wenn Sie sich gerade anmelden. Wenn Sie das nicht sind, ignorieren Sie diese E-Mail: Ohne den Link kann sich niemand bei {site} anmelden.',

  'changePrimary.subject': 'Bestätigen Sie die Änderung Ihrer E-Mail-Adresse',
  'changePrimary.heading': 'Ihre E-Mail-Adresse ändern',
  'changePrimary.before':
    'Geben Sie diesen Code ein, um zu bestätigen, dass Sie die E-Mail-Adresse Ihres Kontos ändern möchten. Er gilt 10 Minuten.',
  'changePrimary.after':
    'Wenn Sie das nicht sind, geben Sie ihn nirgends ein und prüfen Sie die Geräte Ihres Kontos bei {site}.',

  'changeSecondary.subject': 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  'changeSecondary.heading': 'Ihre neue E-Mail-Adresse',
  'changeSecondary.before':
    'Geben Sie diesen Code ein, um diese E-Mail-Adresse für Ihr Konto zu übernehmen. Er gilt 10 Minuten.',
  'changeSecondary.after':
    'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: {site} löscht diese Adresse dann.',

  'addressTaken.subject': 'Zu dieser E-Mail-Adresse gibt es bereits ein Konto',
  'addressTaken.heading': 'Diese E-Mail-Adresse ist vergeben',
  'addressTaken.before':
    'Jemand, vielleicht Sie selbst, wollte diese E-Mail-Adresse für ein anderes Konto bei {site} verwenden. Zu ihr gibt es bereits ein Konto, daher wurde nichts geändert.',
  'addressTaken.after': 'Wenn Sie das waren, melden Sie sich stattdessen mit dieser E-Mail-Adresse an.',

  'addressChanged.subject': 'Ihre E-Mail-Adresse wurde geändert',
  'addressChanged.heading': 'Ihre E-Mail-Adresse wurde geändert',
  'addressChanged.before':
    'Ihr Konto bei {site} hat jetzt eine andere E-Mail-Adresse. Dafür wurden Codes eingegeben, die an beide Adressen gingen. Ihre Wallet und ihre Schlüssel sind unverändert.',
  'addressChanged.after':
    'Wenn Sie das nicht waren, kann jemand Ihre E-Mails lesen: Ändern Sie das Passwort Ihres E-Mail-Kontos.',

  'deviceAdded.subject': 'Neue Anmeldung auf einem anderen Gerät',
  'deviceAdded.heading': 'Neues Gerät',
  'deviceAdded.before':
    '„{place}“ hat sich bei Ihrem Konto bei {site} angemeldet. Die Wallet lässt sich dort nur mit Ihrem Passkey, Ihrem Rettungsset oder einem Ihrer anderen Geräte öffnen.',
  'deviceAdded.after': 'Wenn es nicht Ihr Gerät ist, entfernen Sie es aus der Geräteliste Ihrer Wallet.',

  'deviceAsked.subject': 'Ein neues Gerät möchte Ihre Wallet öffnen',
  'deviceAsked.heading': 'Ein Gerät braucht Ihre Zustimmung',
  'deviceAsked.before':
    '„{place}“ hat sich bei Ihrem Konto bei {site} angemeldet und bittet eines Ihrer Geräte um Zustimmung. Bis {time} ist dafür dort Ihr Passkey oder Ihr Rettungsset nötig.',
  'deviceAsked.after':
    'Wenn es nicht Ihr Gerät ist, kann jemand Ihre E-Mails lesen: Ändern Sie das Passwort Ihres E-Mail-Kontos. Öffnen Sie dann {page} in Ihrem Browser, melden Sie sich überall ab und fügen Sie einen Passkey oder ein Rettungsset hinzu.',

  'expiredPage.title': 'Link abgelaufen',
  'expiredPage.heading': 'Dieser Link ist abgelaufen',
  'expiredPage.body':
    'Er gilt einmal und 10 Minuten lang. Fordern Sie dort, wo Sie sich gerade anmelden, einen neuen an.',

  'approvePage.title': 'Neuen Browser bestätigen',
  'approvePage.heading': 'Melden Sie sich gerade an?',
  'approvePage.body': 'Ein Browser möchte sich bei {site} als {email} anmelden.',
  'approvePage.notYou': 'Wenn Sie das nicht sind, schließen Sie diese Seite.',
  'approvePage.approve': 'Bestätigen',

  'approvedPage.title': 'Bestätigt',
  'approvedPage.heading': 'Browser bestätigt',
  'approvedPage.body':
    'Wir haben Ihnen einen Code per E-Mail gesendet. Geben Sie ihn dort ein, wo Sie sich anmelden. Sie können diese Seite schließen.',

  'popup.title': 'Anmeldung',
  'popup.loading': 'Einen Moment…',
  'popup.loadingBody': 'Ihre Anmeldung öffnet sich hier.',
  'popup.elsewhere': 'Machen Sie auf der Seite weiter',
  'popup.done': 'Sie können zur Seite zurückkehren',
  'popup.failed': 'Etwas ist schiefgegangen',
  'popup.close': 'Sie können dieses Fenster schließen.',
}
