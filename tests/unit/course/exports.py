"""Exports as Canvas, Moodle and Gradescope write them, with what people find odd about them."""

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Blackjack (4711),Final Score\r\n"
    "    Manual Posting,,,,,,\r\n"
    "    Points Possible,,,,,20,(read only)\r\n"
    '"Lovelace, Ada",101,0042,lovelace,CS 101-001 and CS 101-002,12,88.5\r\n'
    '"O\'Brien, Seán J.",102,0043,obrien,CS 101-002,EX,\r\n'
    '"van der Berg, José ""Pepe""",103,0044,berg,CS 101-001,,\r\n'
    '"Lovelace, Ada",104,0045,lovelac2,CS 101-001,,\r\n'
    '"Student, Test",105,,,CS 101-001,,\r\n'
)
CANVAS_HALVES = (
    "LastName;FirstName;ID;Section;Blackjack (4711)\n"
    "    Points Possible;;;;20\n"
    'Lovelace;Ada;101;CS;"12,5"\n'
    "Noether;Emmy;102;CS;\n"
)
MOODLE = (
    "First name\tLast name\tID number\tInstitution\tEmail address\tGroups"
    "\tAssignment: Blackjack (Real)\tCourse total (Real)\r"
    "Ada\tLovelace\t0042\t\tada@example.org\tMonday, Team A\t-\t-\r"
    "Seán J.\tO'Brien\t\t\tsean@example.org\tMonday\t17,50\t17,50\r"
    "Zoë\t\t0044\t\tzoe@example.org\t\t-\t-\r"
)
MOODLE_GERMAN = (
    "Vorname;Nachname;E-Mail-Adresse;Gruppen\r\nJürgen;Groß;juergen@example.org;Montag\r\n"
)
MOODLE_SHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    'Participant 1234567,Ada Lovelace,ada@example.org,"No submission",,20.00,Yes,-,-,\n'
)
MOODLE_PEOPLE = (
    '"First name",Surname,"Email address",Roles,Groups\n'
    "Ada,Lovelace,ada@example.org,Student,001\n"
    "Grace,Hopper,grace@example.org,Non-editing teacher,\n"
)
GRADESCOPE = (
    "First Name,Last Name,SID,Email,Sections,Blackjack,Blackjack - Max Points,"
    "Blackjack - Submission Time,Blackjack - Lateness (H:M:S),Total Lateness (H:M:S)\n"
    'Ada,Lovelace,0042,ada@example.org,"001, 002",12.0,20.0,2026-11-20 12:00:00 -0500,0:00:00,0\n'
    "Emmy,Noether,,emmy@example.org,002,,20.0,,,\n"
)
GRADESCOPE_PEOPLE = (
    "First Name,Last Name,Email,SID,Role,Section\n"
    "Ada,Lovelace,ada@example.org,0042,Student,001\n"
    "Grace,Hopper,grace@example.org,,Instructor,\n"
)

GRADEBOOKS = {
    "Canvas": CANVAS,
    "Canvas, halves": CANVAS_HALVES,
    "Moodle": MOODLE,
    "Moodle, worksheet": MOODLE_SHEET,
    "Gradescope": GRADESCOPE,
}
"""Those that take marks, in a column for Blackjack or for the grade."""

EVERY = (
    *GRADEBOOKS.values(),
    MOODLE_GERMAN,
    MOODLE_PEOPLE,
    GRADESCOPE_PEOPLE,
)
